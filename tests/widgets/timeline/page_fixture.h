#pragma once

#include "timeline/timeline_page.h"
#include "timeline_fixture.h"

#include <QMainWindow>
#include <QtTest>

namespace threewalls::test {

/// A window with the timeline page and its commands, as the program has it.
struct WindowFixture {
  common::Document document;
  common::Selection selection;
  common::JobService jobs;
  QMainWindow window;
  common::CommandRegistry commands{&window};
  timeline::TimelinePage* page = new timeline::TimelinePage(&document, &selection, &jobs);

  explicit WindowFixture(const char* theme = "dark") {
    window.setCentralWidget(page);
    page->addCommands(&commands);
    page->setTheme(*common::Theme::load(theme));
    window.resize(1300, 800);
    window.show();
    QApplication::setActiveWindow(&window);
    page->view()->setFocus();
  }
  void openA() { document.setRuns(opened("baseline", threeSteps(5'000'000)), std::nullopt, nullptr, "A"); }
  void openBoth() {
    document.setRuns(opened("baseline", threeSteps(5'000'000)), opened("candidate", threeSteps(900'000'000, 0.5)), nullptr, "AB");
  }
  const trace::Trace& trace(common::Side side = common::Side::A) const { return *document.run(side)->analysis->trace; }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(QApplication::focusWidget(), key, modifiers); }
  /// Events whose name holds a text as it stands, by start.
  std::vector<trace::EventRef> named(std::string_view text, common::Side side = common::Side::A) const {
    std::vector<trace::EventRef> found;
    const trace::Trace& of = trace(side);
    for (std::uint32_t lane = 0; lane < of.lanes().size(); ++lane) {
      for (std::uint32_t k = 0; k < of.lanes()[lane].subLanes.size(); ++k) {
        for (std::uint32_t i = 0; i < of.lanes()[lane].subLanes[k].size(); ++i) {
          const trace::EventRef event{trace::LaneId{lane}, k, i};
          if (of.name(event).find(text) != std::string_view::npos) found.push_back(event);
        }
      }
    }
    std::sort(found.begin(), found.end(),
              [&](const auto& a, const auto& b) { return of.interval(a).start < of.interval(b).start; });
    return found;
  }
};

}  // namespace threewalls::test
