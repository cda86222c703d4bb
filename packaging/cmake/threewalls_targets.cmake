# How every target of the project is declared: one place for warnings, sanitizers and aliases.

# One static library per folder: threewalls_library(NAME SOURCES ... LINK ...) defines threewalls_NAME and threewalls::NAME.
# Headers are included as "FOLDER/header.h" from core/ or widgets/.
function(threewalls_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(threewalls_${name} STATIC ${ARG_SOURCES})
  add_library(threewalls::${name} ALIAS threewalls_${name})
  target_link_libraries(threewalls_${name} PUBLIC ${ARG_LINK})
  threewalls_common_options(threewalls_${name})
endfunction()

function(threewalls_common_options target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/widgets)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # GCC 12 sees overlaps in std::string's own operator+ when it optimises; later releases do not.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  if(THREEWALLS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(THREEWALLS_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${THREEWALLS_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${THREEWALLS_SANITIZE})
  endif()
endfunction()

# moc 6.4 follows includes into libstdc++ and stumbles over <concepts>, depending on their order: let it skip that header.
set(THREEWALLS_MOC_OPTIONS -D_GLIBCXX_CONCEPTS=1)

# One Qt Test executable: threewalls_test(NAME SOURCES ... LINK ...), run on the offscreen platform.
# The labels say what a test needs: ctest -L core runs what builds without the widgets.
function(threewalls_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOMOC_MOC_OPTIONS "${THREEWALLS_MOC_OPTIONS}" RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} threewalls::test_support Qt6::Test)
  threewalls_common_options(${name})
  add_test(NAME ${name} COMMAND ${name})
  set(tsan suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan_suppressions.txt)
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_LOGGING_RULES=qt.qpa.*=false;TSAN_OPTIONS=${tsan}"
    LABELS "${ARG_LABEL}" TIMEOUT 300)
endfunction()

# Writes a C++ source that holds each of FILES as text, found by its file name (base/facts.h).
function(threewalls_embed_facts output)
  set(cases "")
  set(arrays "")
  set(index 0)
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(leaf ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "constexpr unsigned char kFact${index}[] = {${bytes}0x00};\n")
    string(APPEND cases "  if (name == \"${leaf}\") return {reinterpret_cast<const char*>(kFact${index}), sizeof(kFact${index}) - 1};\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT
"#include \"base/facts.h\"
namespace threewalls::base {
namespace {
${arrays}}  // namespace
std::string_view embeddedFact(std::string_view name) {
${cases}  return {};
}
}  // namespace threewalls::base
" @ONLY)
endfunction()
