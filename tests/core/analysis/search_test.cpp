#include "analysis/search_hits.h"
#include "core/analysis/trace_maker.h"
#include "support/synthetic_trace.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace threewalls;
using analysis::QueryKind;
using analysis::SearchHits;
using analysis::SearchQuery;
using trace::EventRef;

namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Says of one name what a text query means, letter by letter.
bool holds(std::string_view name, std::string_view text) {
  for (std::size_t from = 0; from + text.size() <= name.size(); ++from) {
    std::size_t same = 0;
    while (same < text.size() && lower(name[from + same]) == lower(text[same])) ++same;
    if (same == text.size()) return true;
  }
  return false;
}

/// Every event of a trace that `wanted` accepts, in the order that hits have.
template <class Wanted>
std::vector<EventRef> scanned(const trace::Trace& trace, const Wanted& wanted) {
  std::vector<std::tuple<std::int64_t, EventRef>> found;
  for (std::uint32_t l = 0; l < trace.lanes().size(); ++l) {
    const trace::Lane& lane = trace.lanes()[l];
    for (std::uint32_t s = 0; s < lane.subLanes.size(); ++s) {
      for (std::uint32_t i = 0; i < lane.subLanes[s].size(); ++i) {
        const EventRef event{trace::LaneId(l), s, i};
        if (wanted(lane, event)) found.emplace_back(trace.interval(event).start.count(), event);
      }
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<EventRef> out;
  for (const auto& [start, event] : found) out.push_back(event);
  return out;
}

std::vector<EventRef> walked(const SearchHits& hits) {
  std::vector<EventRef> out;
  for (auto event = hits.from(hits.trace().span().start); event; event = hits.after(*event)) out.push_back(*event);
  return out;
}

std::shared_ptr<const trace::Trace> named(const std::vector<std::string>& names) {
  test::TraceMaker maker;
  std::int64_t start = 0;
  for (const std::string& name : names) maker.kernel(name, start += 10, 5);
  return maker.make();
}

std::size_t countOf(const std::vector<std::string>& names, const SearchQuery& query) {
  return analysis::search(named(names), query)->size();
}

}  // namespace

class SearchTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { m_trace = test::syntheticTrace(20'000); }

  void textIsFoundInAnyCaseAndTakenLiterally() {
    const std::vector<std::string> names{"ncclDevKernel_AllReduce", "void gemm<a.*b>(int)", "GEMM", "Memcpy"};
    QCOMPARE(countOf(names, {"NCCL", QueryKind::Text}), std::size_t(1));
    QCOMPARE(countOf(names, {"gemm", QueryKind::Text}), std::size_t(2));
    QCOMPARE(countOf(names, {"a.*b", QueryKind::Text}), std::size_t(1));
    QCOMPARE(countOf(names, {"", QueryKind::Text}), std::size_t(0));
    QCOMPARE(countOf(names, {"\xC3\xA9", QueryKind::Text}), std::size_t(0));
  }

  void anExpressionAndAnExactNameFindWhatTheySay() {
    const std::vector<std::string> names{"ncclDevKernel_AllReduce", "nccl", "GEMM_128", "gemm_64"};
    QCOMPARE(countOf(names, {"^gemm_\\d+$", QueryKind::Expression}), std::size_t(2));
    QCOMPARE(countOf(names, {"(?-i)^gemm", QueryKind::Expression}), std::size_t(1));
    QCOMPARE(countOf(names, {"nccl", QueryKind::Name}), std::size_t(1));
    QCOMPARE(countOf(names, {"NCCL", QueryKind::Name}), std::size_t(0));
  }

  void aBadExpressionSaysWhatIsWrong() {
    for (const char* pattern : {"(", "a{2,1}", "[z-a]", "(?<n>a)(?P=n)", "((a{1,100}){1,100}){1,100}"}) {
      const auto found = analysis::search(named({"a"}), {pattern, QueryKind::Expression});
      QVERIFY2(!found, pattern);
      QCOMPARE(found.error().code, base::ErrorCode::InvalidArgument);
      QVERIFY(found.error().message.starts_with("Not a regular expression: "));
      QVERIFY(found.error().message.size() > 30 && found.error().message.size() < 250);
      QVERIFY(!found.error().hint.empty());
    }
    const std::string huge(1 << 20, '(');
    QVERIFY(analysis::search(named({"a"}), {huge, QueryKind::Expression}).error().message.size() < 250);
  }

  void hostileNamesDoNotStallAnExpression() {
    // What makes a backtracking engine run for years.
    const std::vector<std::string> names{std::string(200'000, 'a'), std::string("a\0b", 3), "\xFF\xFE", ""};
    QCOMPARE(countOf(names, {"(a*)*(a*)*c$", QueryKind::Expression}), std::size_t(0));
    QCOMPARE(countOf(names, {std::string("A\0B", 3), QueryKind::Text}), std::size_t(1));
  }

  void anExpressionThatTakesTooLongIsGivenUp() {
    const auto found = analysis::matchingNames(m_trace->names(), {"a", QueryKind::Expression}, {}, std::chrono::milliseconds(-1));
    QVERIFY(!found);
    QVERIFY(found.error().message.find("too long") != std::string::npos);
  }

  void hitsAreThoseOfAPlainScanInOrder() {
    for (const char* text : {"e", "gemm", "Launch", "dispatch", "no such name"}) {
      const auto expected =
          scanned(*m_trace, [&](const trace::Lane&, const EventRef& event) { return holds(m_trace->name(event), text); });
      const auto hits = analysis::search(m_trace, {text, QueryKind::Text});
      QVERIFY(hits);
      QCOMPARE(hits->size(), expected.size());
      QVERIFY(walked(*hits) == expected);
    }
    QVERIFY(analysis::search(m_trace, {"e", QueryKind::Text})->size() > 1000);
  }

  void theScopeLimitsRangeAndLanes() {
    const base::Interval span = m_trace->span();
    const base::Interval range{span.start + span.length() / 3, span.start + span.length() / 2};
    const auto hits = analysis::search(m_trace, {"e", QueryKind::Text}, {range, true});
    const auto expected = scanned(*m_trace, [&](const trace::Lane& lane, const EventRef& event) {
      const base::Interval at = m_trace->interval(event);
      return lane.key.kind == trace::LaneKind::GpuStream && at.start < range.end && at.end > range.start &&
             holds(m_trace->name(event), "e");
    });
    QVERIFY(!expected.empty());
    QVERIFY(walked(*hits) == expected);
  }

  void everyHitKnowsItsPlaceAndItsNeighbours() {
    const auto hits = analysis::search(m_trace, {"e", QueryKind::Text});
    const auto all = walked(*hits);
    for (std::size_t i = 0; i < all.size(); i += 37) {
      QVERIFY(hits->at(i) == all[i]);
      QCOMPARE(hits->rank(all[i]), i);
      QVERIFY(hits->contains(all[i]));
      QVERIFY(hits->before(all[i]) == (i == 0 ? std::nullopt : std::optional(all[i - 1])));
    }
    QVERIFY(hits->at(all.size() - 1) == all.back());
    QVERIFY(!hits->after(all.back()));
  }

  void anEventThatIsNoHitHasAPlaceAmongThem() {
    const auto hits = analysis::search(m_trace, {"gemm", QueryKind::Text});
    const auto all = walked(*hits);
    const auto others =
        scanned(*m_trace, [&](const trace::Lane&, const EventRef& event) { return !holds(m_trace->name(event), "gemm"); });
    for (std::size_t i = 0; i < others.size(); i += 211) {
      const auto place = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const EventRef& hit) {
        return std::tuple(m_trace->interval(hit).start, hit) < std::tuple(m_trace->interval(others[i]).start, others[i]);
      }));
      QVERIFY(!hits->contains(others[i]));
      QCOMPARE(hits->rank(others[i]), place);
      QVERIFY(hits->after(others[i]) == (place == all.size() ? std::nullopt : std::optional(all[place])));
    }
  }

  void densityCountsStartsInEachPart() {
    const auto hits = analysis::search(m_trace, {"e", QueryKind::Text});
    const base::Interval span = m_trace->span();
    for (const base::Interval range : {span, base::Interval{span.start + span.length() / 7, span.end - span.length() / 3}}) {
      for (const std::size_t buckets : {std::size_t(1), std::size_t(97), std::size_t(5000)}) {
        std::vector<std::uint32_t> expected(buckets);
        for (const EventRef& hit : walked(*hits)) {
          const auto start = m_trace->interval(hit).start;
          if (start < range.start || start >= range.end) continue;
          const double size = static_cast<double>(range.length().count()) / static_cast<double>(buckets);
          std::size_t k = 0;
          while (k + 1 < buckets &&
                 static_cast<double>((start - range.start).count()) >= std::floor(static_cast<double>(k + 1) * size + 0.5))
            ++k;
          ++expected[k];
        }
        QVERIFY(hits->density(range, buckets) == expected);
      }
    }
  }

  void aSearchStopsWhenAsked() {
    std::stop_source stop;
    stop.request_stop();
    const auto found = analysis::search(m_trace, {"e", QueryKind::Text}, {}, base::Progress(stop.get_token(), {}));
    QVERIFY(!found);
    QCOMPARE(found.error().code, base::ErrorCode::Cancelled);
  }

 private:
  std::shared_ptr<const trace::Trace> m_trace;
};

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"
