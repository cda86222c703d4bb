#include "common/table_text.h"
#include "profile/kernel_table_model.h"
#include "profile/kernels_page.h"
#include "widgets/sample_document.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

using namespace threewalls;
using common::Side;
using profile::KernelFilter;
using profile::KernelTableModel;

Q_DECLARE_METATYPE(threewalls::common::Side)
Q_DECLARE_METATYPE(threewalls::trace::NameId)

class ProfileKernelsTest : public QObject {
  Q_OBJECT

 private slots:
  void theModelKeepsTheRulesOfModels() {
    KernelTableModel model;
    KernelFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester modelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    common::Document document;
    model.show(document);
    QCOMPARE(model.rowCount(), 0);
    test::openSample(document);
    model.show(document);
    filter.setText("gemm");
    filter.setText("");
    filter.sort(4, Qt::DescendingOrder);
    test::openAlone(document, Side::B, "grouped");
    model.show(document);
    document.setRuns(std::nullopt, std::nullopt, nullptr, {});
    model.show(document);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
  }

  void figuresAreThoseOfTheComparison() {
    common::Document document;
    test::openSample(document);
    KernelTableModel model;
    model.show(document);
    QCOMPARE(model.rowCount(), static_cast<int>(document.comparison()->kernels.size()));
    QVERIFY(model.rowCount() > 100);
    // The sum over the rows of B − A, as exported, is that of the comparison.
    qlonglong sum = 0;
    for (int row = 0; row < model.rowCount(); ++row)
      sum += model.index(row, *model.section(KernelTableModel::Delta)).data(common::kExportRole).toLongLong();
    qlonglong expected = 0;
    for (const auto& kernel : document.comparison()->kernels) expected += (kernel.b - kernel.a).count();
    QCOMPARE(sum, expected);
  }

  void sortingIsByValueNotByText() {
    common::Document document;
    test::openSample(document);
    KernelTableModel model;
    KernelFilter filter;
    filter.setSourceModel(&model);
    model.show(document);
    for (const auto column : {KernelTableModel::CallsA, KernelTableModel::TimeA, KernelTableModel::TimeB, KernelTableModel::Delta,
                              KernelTableModel::ShareB}) {
      const int section = *model.section(column);
      filter.sort(section, Qt::DescendingOrder);
      for (int row = 1; row < filter.rowCount(); ++row) {
        QVERIFY(filter.index(row - 1, section).data(KernelTableModel::kSortRole).toDouble() >=
                filter.index(row, section).data(KernelTableModel::kSortRole).toDouble());
      }
    }
  }

  void theFilterIsLiteralAndSeesTheFullName() {
    common::Document document;
    test::openSample(document);
    KernelTableModel model;
    KernelFilter filter;
    filter.setSourceModel(&model);
    model.show(document);
    for (const char* text : {"(", "[", "cutlass", ".*", "<float>"}) {
      int expected = 0;
      for (const auto& kernel : document.comparison()->kernels)
        expected += QString::fromStdString(kernel.name).contains(text, Qt::CaseInsensitive) ? 1 : 0;
      filter.setText(text);
      QCOMPARE(filter.rowCount(), expected);
    }
    filter.setText("");
    filter.setClassId("gemm.grouped");
    QVERIFY(filter.rowCount() > 0);
    QVERIFY(filter.rowCount() < model.rowCount());
    for (int row = 0; row < filter.rowCount(); ++row)
      QCOMPARE(filter.index(row, 0).data(KernelTableModel::kClassIdRole).toString(), QString("gemm.grouped"));
  }

  void aRunThatIsAloneHasNoColumnsOfTheOtherSide() {
    common::Document document;
    KernelTableModel model;
    for (const Side side : common::kSides) {
      test::openAlone(document, side, "grouped");
      model.show(document);
      QVERIFY(model.rowCount() > 0);
      QVERIFY(!model.section(KernelTableModel::Delta));
      QCOMPARE(model.section(KernelTableModel::TimeA).has_value(), side == Side::A);
      QCOMPARE(model.section(KernelTableModel::TimeB).has_value(), side == Side::B);
      QVERIFY(model.name(0, side).has_value());
      QVERIFY(!model.name(0, side == Side::A ? Side::B : Side::A).has_value());
    }
  }

  void longNamesAreShownShortAndToldInFull() {
    common::Document document;
    test::openSample(document);
    KernelTableModel model;
    model.show(document);
    int longest = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      if (model.kernel(row).name.size() > model.kernel(longest).name.size()) longest = row;
    }
    const QModelIndex index = model.index(longest, *model.section(KernelTableModel::Name));
    QVERIFY(model.kernel(longest).name.size() > 1000);
    QVERIFY(index.data().toString().size() <= 110);
    QCOMPARE(index.data(Qt::AccessibleTextRole).toString().toStdString(), model.kernel(longest).name);
    QVERIFY(!index.data(Qt::ToolTipRole).toString().contains("<float"));  // escaped
  }

  void aClickOnARowChoosesItsKernelOnTheSideOfTheColumn() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::KernelsPage page(&document, &selection);
    page.resize(1100, 700);
    page.show();
    auto* table = page.findChild<QTableView*>("kernels");
    Side side{};
    trace::NameId name{};
    int clicks = 0;
    connect(&page, &profile::KernelsPage::kernelChosen, &page, [&](Side chosenSide, trace::NameId chosenName) {
      side = chosenSide;
      name = chosenName;
      ++clicks;
    });
    const auto click = [&](int column) {
      QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, column)).center());
    };
    click(0);
    QCOMPARE(side, Side::A);
    QCOMPARE(document.run(Side::A)->analysis->trace->names()[name], std::string_view(document.comparison()->kernels[0].name));
    click(KernelTableModel::TimeB);
    QCOMPARE(side, Side::B);
    QCOMPARE(document.run(Side::B)->analysis->trace->names()[name], std::string_view(document.comparison()->kernels[0].name));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(clicks, 3);
  }

  void whatIsFilteredIsWhatIsCopied() {
    common::Document document;
    common::Selection selection;
    test::openSample(document);
    profile::KernelsPage page(&document, &selection);
    page.show();
    QTest::keyClicks(page.findChild<QLineEdit*>(), "memcpy");
    page.copyCsv();
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 1);
    QVERIFY(lines.front().startsWith("name,class,a_calls_per_step"));
    for (qsizetype i = 1; i < lines.size(); ++i) QVERIFY2(lines[i].contains("memcpy", Qt::CaseInsensitive), qPrintable(lines[i]));
    page.copyMarkdown();
    QVERIFY(QApplication::clipboard()->text().startsWith("| Kernel | Class |"));
  }
};

QTEST_MAIN(ProfileKernelsTest)
#include "profile_kernels_test.moc"
