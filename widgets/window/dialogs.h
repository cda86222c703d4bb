#pragma once

#include "common/document.h"

#include <QDialog>

namespace threewalls::window {

/// Asks for a file to write, starting with `path`; empty when the user thinks better of it. A name without an ending gets
/// `ending`.
QString chooseSaveFile(QWidget* parent, const QString& title, const QString& path, const QString& filter, const QString& ending);

/// What import and analysis repaired, skipped or did not know, of both sides; the table copies as CSV and Markdown.
QDialog* importNotes(const common::Document& document, QWidget* parent);

/// Name, version and licence.
QDialog* aboutThreewalls(QWidget* parent);

}  // namespace threewalls::window
