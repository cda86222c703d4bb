#pragma once

#include "base/result.h"
#include "common/card.h"

class QAction;

namespace threewalls::common {

/// A failure as people read it: what happened, where, what to do next; closes with its button.
class ErrorCard : public Card {
  Q_OBJECT
 public:
  explicit ErrorCard(const base::Error& error, QWidget* parent = nullptr);

 signals:
  void dismissed();
};

/// Something that was done, with its details; closes with its button.
class NoticeCard : public Card {
  Q_OBJECT
 public:
  NoticeCard(const QString& what, const QString& details, QWidget* parent = nullptr);

 signals:
  void dismissed();
};

/// What a page says while there is nothing to show: what would be here, what to bring, and what can be done now.
class EmptyState : public QWidget {
 public:
  /// One button per action, the first one primary.
  EmptyState(const QString& title, const QString& text, const QList<QAction*>& actions, QWidget* parent = nullptr);
};

}  // namespace threewalls::common
