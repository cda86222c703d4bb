#pragma once

#include "common/command_registry.h"
#include "common/document.h"
#include "common/selection.h"
#include "common/theme.h"
#include "core/analysis/trace_maker.h"
#include "timeline/timeline_view.h"

#include <QApplication>

namespace threewalls::test {

constexpr std::int64_t kMicro = 1000;

/// Three steps of 1 ms from `origin` on, numbered from 61; in each a GEMM of 200 µs at 100, an elementwise kernel of 50 µs at
/// 400, a copy of 20 µs at 500 and, on stream 20, a collective of 300 µs at 250 (all in µs), launched 40 µs before they run.
/// `scale` stretches the GEMM.
inline std::shared_ptr<const analysis::Analysis> threeSteps(std::int64_t origin, double scale = 1) {
  TraceMaker maker;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t step = origin + i * 1000 * kMicro;
    maker.marker(61 + i, step, step + 1000 * kMicro);
    const auto at = [step](std::int64_t micro) { return step + micro * kMicro; };
    maker.kernel("nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_TNT", at(100), static_cast<std::int64_t>(200 * kMicro * scale),
                 at(60));
    maker.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)", at(400), 50 * kMicro,
                 at(360));
    maker.gpu(trace::EventKind::MemoryCopy, "Memcpy HtoD (Pinned -> Device)", at(500), 20 * kMicro, at(460));
    maker.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", at(250), 300 * kMicro, at(210),
                 20);
  }
  return analysis::analyze(maker.make());
}

inline common::Run opened(const char* name, std::shared_ptr<const analysis::Analysis> analysis) {
  common::Run run;
  run.name = QString::fromUtf8(name);
  run.analysis = std::move(analysis);
  return run;
}

/// A shown timeline with its document, selection and state.
struct TimelineFixture {
  common::Document document;
  common::Selection selection;
  timeline::ViewState state;
  timeline::TimelineView view{document, selection, state};
  common::CommandRegistry commands{&view};

  explicit TimelineFixture(const char* theme = "dark") {
    view.setTheme(*common::Theme::load(theme));
    view.addCommands(&commands);
    view.resize(1200, 420);
    view.show();
    QApplication::setActiveWindow(&view);
    view.setFocus();
  }
  void openA() { document.setRuns(opened("baseline", threeSteps(5'000'000)), std::nullopt, nullptr, "A"); }
  void openBoth() {
    document.setRuns(opened("baseline", threeSteps(5'000'000)), opened("candidate", threeSteps(900'000'000, 0.5)), nullptr, "AB");
  }

  const trace::Trace& trace(common::Side side = common::Side::A) const { return *document.run(side)->analysis->trace; }
  /// The first row of a stream.
  const timeline::Row& streamRow(const char* stream, common::Side side = common::Side::A) const {
    for (const timeline::Row& row : view.layout().rows()) {
      if (row.kind == timeline::RowKind::Slices && row.side == side &&
          trace(side).lane(row.lane).key.kind == trace::LaneKind::GpuStream && trace(side).lane(row.lane).key.thread == stream) {
        return row;
      }
    }
    qFatal("no such stream");
  }
  /// Where a time, in µs after the marker of the aligned step, lies on a row. On the GPU that step begins 100 µs later, with its
  /// GEMM.
  QPoint at(const timeline::Row& row, double micro) const {
    const QRect lanes = view.lanesRect();
    return {lanes.left() + static_cast<int>(view.axis().toPixel((micro - 100) * 1000.0)),
            lanes.top() + row.top + row.height / 2 - state.scroll()};
  }
  QString selectedName() const {
    const auto& slice = selection.slice();
    return slice ? QString::fromStdString(std::string(trace(slice->side).name(slice->event))) : QString();
  }
};

}  // namespace threewalls::test
