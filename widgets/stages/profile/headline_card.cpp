#include "profile/headline_card.h"

#include "common/text.h"

namespace threewalls::profile {
namespace {

using common::Side;
using common::TextRole;

TextRole claimRole(compare::Claim claim) {
  switch (claim) {
    case compare::Claim::Faster: return TextRole::Good;
    case compare::Claim::Slower: return TextRole::Bad;
    case compare::Claim::BelowThreshold:
    case compare::Claim::NoDifference: return TextRole::Normal;
    case compare::Claim::TooFewSteps:
    case compare::Claim::NotComparable: return TextRole::Warning;
  }
  return TextRole::Normal;
}

/// "10 steady steps", "10 iterations".
QString countText(const compare::StepTime& time, std::size_t count) {
  if (time.source == compare::TimeSource::Log) {
    return count == 1 ? HeadlineCard::tr("1 logged iteration") : HeadlineCard::tr("%1 logged iterations").arg(count);
  }
  return count == 1 ? HeadlineCard::tr("1 steady step") : HeadlineCard::tr("%1 steady steps").arg(count);
}

QString windowText(const run::SteadyWindow& window) {
  return QStringLiteral("%1–%2").arg(window.from).arg(window.to);
}

/// Where the step times stand, and what the other source says.
QString sourceText(const compare::Comparison& comparison) {
  const auto& [a, b] = std::pair(comparison.windowA, comparison.windowB);
  const bool alone = comparison.a == comparison.b;
  if (comparison.stepTime.source == compare::TimeSource::Trace) {
    if (a || b) return HeadlineCard::tr("from the traces: only %1 has a log").arg(a ? QStringLiteral("A") : QStringLiteral("B"));
    return alone ? HeadlineCard::tr("from the trace: no log loaded") : HeadlineCard::tr("from the traces: no log loaded");
  }
  const QString windows =
      windowText(*a) == windowText(*b) ? windowText(*a) : windowText(*a) + QStringLiteral(", ") + windowText(*b);
  QString text = alone ? HeadlineCard::tr("unprofiled log, iterations %1").arg(windows)
                       : HeadlineCard::tr("unprofiled logs, iterations %1").arg(windows);
  if (comparison.agreementA && comparison.agreementB) {
    text += HeadlineCard::tr(" · profiled steps %1").arg(common::duration(comparison.agreementA->trace));
    if (!alone) text += QStringLiteral(" → ") + common::duration(comparison.agreementB->trace);
  }
  return text;
}

}  // namespace

HeadlineCard::HeadlineCard(QWidget* parent) : Card({}, parent) {
  m_caption = common::plainLabel({}, TextRole::Muted);
  m_figure = common::plainLabel({});
  m_figure->setObjectName(QStringLiteral("stepTime"));
  common::setTextSize(m_figure, common::TextSize::Figure, true);
  m_source = common::plainLabel({}, TextRole::Muted);
  auto* left = new QVBoxLayout;
  left->setSpacing(4);
  left->addWidget(m_caption);
  left->addWidget(m_figure);
  left->addWidget(m_source);
  left->addStretch();
  m_rule = new QFrame;
  m_rule->setProperty("kind", QStringLiteral("rule"));
  m_claims = new QVBoxLayout;
  m_claims->setSpacing(4);
  m_halves = new QBoxLayout(QBoxLayout::LeftToRight);
  m_halves->setSpacing(18);
  m_halves->addLayout(left, 1);
  m_halves->addWidget(m_rule);
  m_halves->addLayout(m_claims, 1);
  body()->addLayout(m_halves);
  setNarrow(false);
}

void HeadlineCard::setNarrow(bool narrow) {
  m_halves->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  if (narrow) {
    m_rule->setFixedHeight(1);
    m_rule->setMinimumWidth(0);
    m_rule->setMaximumWidth(QWIDGETSIZE_MAX);
  } else {
    m_rule->setFixedWidth(1);
    m_rule->setMinimumHeight(0);
    m_rule->setMaximumHeight(QWIDGETSIZE_MAX);
  }
}

void HeadlineCard::show(const common::Document& document) {
  common::clearLayout(m_claims);
  if (const auto& comparison = document.comparison()) {
    const compare::StepTime& time = comparison->stepTime;
    m_caption->setText(
        tr("Step time, median of %1 in A, %2 in B").arg(countText(time, time.countA), countText(time, time.countB)));
    m_figure->setText(common::duration(time.medianA) + QStringLiteral(" → ") + common::duration(time.medianB));
    m_source->setText(sourceText(*comparison));
    auto* headline = common::plainLabel(common::toText(comparison->headline), claimRole(comparison->claim));
    headline->setObjectName(QStringLiteral("claim"));
    common::setTextSize(headline, common::TextSize::Large, true);
    m_claims->addWidget(headline);
    for (const std::string& reason : comparison->reasons)
      m_claims->addWidget(common::plainLabel(common::toText(reason), TextRole::Muted));
  } else {
    const Side side = document.run(Side::A) ? Side::A : Side::B;
    if (!document.run(side)) return;
    const compare::StepTime& time = document.run(side)->alone->stepTime;
    m_caption->setText(tr("Step time, median of %1").arg(countText(time, time.countA)));
    m_figure->setText(time.countA == 0 ? tr("no step") : common::duration(time.medianA));
    m_source->setText(sourceText(*document.run(side)->alone));
    auto* headline = common::plainLabel(common::toText(document.run(side)->analysis->wall.verdict));
    headline->setObjectName(QStringLiteral("claim"));
    common::setTextSize(headline, common::TextSize::Large, true);
    m_claims->addWidget(headline);
    m_claims->addWidget(common::plainLabel(tr("Open a second trace to compare."), TextRole::Muted));
  }
  m_claims->addStretch();
}

}  // namespace threewalls::profile
