#include "common/theme.h"
#include "support/colour_difference.h"

#include <QTest>

using namespace threewalls;
using common::Theme;

namespace {

test::Lab seen(const QColor& colour, test::Vision vision) {
  return test::perceived({colour.redF(), colour.greenF(), colour.blueF()}, vision);
}

QString visionName(test::Vision vision) {
  return QStringList{"normal", "protan", "deutan", "tritan"}[static_cast<qsizetype>(vision)];
}

/// Names the pairs of `colours` that are less than `least` apart for some kind of eyes.
template <std::size_t N>
QString tooClose(const std::array<QColor, N>& colours, double least) {
  QString failures;
  for (const test::Vision vision : test::kVisions) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = i + 1; j < N; ++j) {
        const double distance = test::colourDifference(seen(colours[i], vision), seen(colours[j], vision));
        if (distance >= least) continue;
        failures +=
            QString("%1: %2 and %3 are %4 apart; ").arg(visionName(vision), colours[i].name(), colours[j].name()).arg(distance);
      }
    }
  }
  return failures;
}

}  // namespace

class PaletteTest : public QObject {
  Q_OBJECT

  static Theme loaded() {
    const auto theme = Theme::load(QTest::currentDataTag());
    if (!theme) qFatal("%s", theme.error().text().c_str());
    return *theme;
  }
  static void allThemes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
    QTest::newRow("print") << false;
  }

 private slots:
  void colourDifferenceAgreesWithThePublishedPairs() {
    // Sharma, Wu, Dalal: The CIEDE2000 color-difference formula, Color Research and Application 30 (2005), table 1.
    static constexpr double kPairs[][7] = {
        {50.0000, 2.6772, -79.7751, 50.0000, 0.0000, -82.7485, 2.0425},
        {50.0000, 3.1571, -77.2803, 50.0000, 0.0000, -82.7485, 2.8615},
        {50.0000, 2.8361, -74.0200, 50.0000, 0.0000, -82.7485, 3.4412},
        {50.0000, -1.3802, -84.2814, 50.0000, 0.0000, -82.7485, 1.0000},
        {50.0000, -1.1848, -84.8006, 50.0000, 0.0000, -82.7485, 1.0000},
        {50.0000, -0.9009, -85.5211, 50.0000, 0.0000, -82.7485, 1.0000},
        {50.0000, 0.0000, 0.0000, 50.0000, -1.0000, 2.0000, 2.3669},
        {50.0000, -1.0000, 2.0000, 50.0000, 0.0000, 0.0000, 2.3669},
        {50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0009, 7.1792},
        {50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0010, 7.1792},
        {50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0011, 7.2195},
        {50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0012, 7.2195},
        {50.0000, -0.0010, 2.4900, 50.0000, 0.0009, -2.4900, 4.8045},
        {50.0000, -0.0010, 2.4900, 50.0000, 0.0010, -2.4900, 4.8045},
        {50.0000, -0.0010, 2.4900, 50.0000, 0.0011, -2.4900, 4.7461},
        {50.0000, 2.5000, 0.0000, 50.0000, 0.0000, -2.5000, 4.3065},
        {50.0000, 2.5000, 0.0000, 73.0000, 25.0000, -18.0000, 27.1492},
        {50.0000, 2.5000, 0.0000, 61.0000, -5.0000, 29.0000, 22.8977},
        {50.0000, 2.5000, 0.0000, 56.0000, -27.0000, -3.0000, 31.9030},
        {50.0000, 2.5000, 0.0000, 58.0000, 24.0000, 15.0000, 19.4535},
        {50.0000, 2.5000, 0.0000, 50.0000, 3.1736, 0.5854, 1.0000},
        {50.0000, 2.5000, 0.0000, 50.0000, 3.2972, 0.0000, 1.0000},
        {50.0000, 2.5000, 0.0000, 50.0000, 1.8634, 0.5757, 1.0000},
        {50.0000, 2.5000, 0.0000, 50.0000, 3.2592, 0.3350, 1.0000},
        {60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644},
        {63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630},
        {61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731},
        {35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645},
        {22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373},
        {36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146},
        {90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441},
        {90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381},
        {6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377},
        {2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082},
    };
    for (const auto& p : kPairs) {
      const double distance = test::colourDifference({p[0], p[1], p[2]}, {p[3], p[4], p[5]});
      QVERIFY2(std::abs(distance - p[6]) < 0.00006, qPrintable(QString("%1 instead of %2").arg(distance, 0, 'f', 5).arg(p[6])));
    }
  }

  void redAndGreenLookAlikeToADeutanButNotToOthers() {
    const QColor red("#B04A3A"), green("#7A6A20");
    const auto distance = [&](test::Vision vision) { return test::colourDifference(seen(red, vision), seen(green, vision)); };
    QVERIFY(distance(test::Vision::Deutan) < distance(test::Vision::Normal) / 2);
    QVERIFY(distance(test::Vision::Tritan) > distance(test::Vision::Normal) / 2);
  }

  void classColoursStayApartForEveryKindOfEyes_data() { allThemes(); }
  void classColoursStayApartForEveryKindOfEyes() {
    const QString failures = tooClose(loaded().classes, 12);
    QVERIFY2(failures.isEmpty(), qPrintable(failures));
  }

  void ledgerColoursStayApartForEveryKindOfEyes_data() { allThemes(); }
  void ledgerColoursStayApartForEveryKindOfEyes() {
    const QString failures = tooClose(loaded().ledger, 12);
    QVERIFY2(failures.isEmpty(), qPrintable(failures));
  }

  void slicesAndBarsStandOutAgainstWhatIsBehindThem_data() { allThemes(); }
  void slicesAndBarsStandOutAgainstWhatIsBehindThem() {
    const Theme theme = loaded();
    for (const QColor& colour : theme.classes) {
      QVERIFY2(common::contrastRatio(colour, theme.lane) >= 3, qPrintable(colour.name()));
    }
    for (const QColor& colour : theme.ledger) {
      QVERIFY2(common::contrastRatio(colour, theme.panel) >= 3, qPrintable(colour.name()));
    }
  }

  void labelsOnSlicesCanBeRead_data() { allThemes(); }
  void labelsOnSlicesCanBeRead() {
    for (const QColor& colour : loaded().classes) {
      QVERIFY2(common::contrastRatio(common::readableTextOn(colour), colour) >= 4.5, qPrintable(colour.name()));
    }
  }

  void textCanBeReadOnEverySurface_data() { allThemes(); }
  void textCanBeReadOnEverySurface() {
    const Theme theme = loaded();
    for (const QColor& surface : {theme.window, theme.panel, theme.lane, theme.laneAlternate}) {
      for (const QColor& text : {theme.text, theme.mutedText, theme.good, theme.warning, theme.bad}) {
        QVERIFY2(common::contrastRatio(text, surface) >= 4.5, qPrintable(text.name() + " on " + surface.name()));
      }
    }
    QVERIFY(common::contrastRatio(theme.accentText, theme.accent) >= 4.5);
    QVERIFY(common::contrastRatio(theme.accent, theme.panel) >= 4.5);  // links
    for (const QColor& side : {theme.sideA, theme.sideB}) {
      QVERIFY(common::contrastRatio(common::readableTextOn(side), side) >= 4.5);
      QVERIFY(common::contrastRatio(side, theme.panel) >= 3);
    }
  }

  void theStyleSheetNamesOnlyColoursOfTheTheme_data() { allThemes(); }
  void theStyleSheetNamesOnlyColoursOfTheTheme() {
    const QString sheet = loaded().styleSheet();
    QVERIFY(!sheet.contains('@'));
    // An unknown name would give an invalid colour, printed as black, which only badges may have for their letter.
    for (const QString& line : sheet.split('\n'))
      QVERIFY2(!line.contains("#000000") || line.contains("badge="), qPrintable(line));
    QVERIFY(sheet.contains(loaded().accent.name()));
  }

  void anUnknownThemeIsAnError() { QVERIFY(!Theme::load("solarized")); }
};

QTEST_MAIN(PaletteTest)
#include "palette_test.moc"
