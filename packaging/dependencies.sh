# Sourced by packaging/run and packaging/test: installs the distribution packages that are missing and says which.
# Debian 12 and Ubuntu 24.04; as root or through sudo. CUDA is not needed.

build_packages=(g++ cmake ninja-build pkg-config ccache
  qt6-base-dev qt6-svg-dev libsimdjson-dev libre2-dev libexpected-dev libcli11-dev nlohmann-json3-dev libxxhash-dev zlib1g-dev libsqlite3-dev)
run_packages=(fonts-dejavu-core fonts-inter)
test_packages=(libbenchmark-dev)

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_missing() {
  if ! command -v apt-get >/dev/null; then
    echo "This is not a Debian or Ubuntu system: install the packages named in packaging/dependencies.sh by hand." >&2
    return 0
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "All needed packages are installed."
    return 0
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing, and neither root nor sudo is at hand: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build PRESET TARGET...: configures and builds, with at most two jobs a gigabyte-hungry compiler leaves room for.
build() {
  local preset=$1
  shift
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  cmake --preset "$preset" "$@"
  cmake --build --preset "$preset"
}
