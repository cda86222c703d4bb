#include "trace/nsys/descriptor_vfs.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace threewalls::trace::nsys {
namespace {

struct DescriptorFile {
  sqlite3_file base;
  int descriptor;
  sqlite3_int64 size;
};

DescriptorFile& self(sqlite3_file* file) {
  return *reinterpret_cast<DescriptorFile*>(file);
}

int readFile(sqlite3_file* file, void* buffer, int size, sqlite3_int64 offset) {
  auto* out = static_cast<char*>(buffer);
  int done = 0;
  while (done < size) {
    const ssize_t got = ::pread(self(file).descriptor, out + done, static_cast<std::size_t>(size - done), offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SQLITE_IOERR_READ;
    if (got == 0) break;
    done += static_cast<int>(got);
  }
  if (done == size) return SQLITE_OK;
  std::memset(out + done, 0, static_cast<std::size_t>(size - done));
  return SQLITE_IOERR_SHORT_READ;
}

int fileSize(sqlite3_file* file, sqlite3_int64* size) {
  *size = self(file).size;
  return SQLITE_OK;
}

int refuseWrite(sqlite3_file*, const void*, int, sqlite3_int64) {
  return SQLITE_READONLY;
}
int refuseTruncate(sqlite3_file*, sqlite3_int64) {
  return SQLITE_READONLY;
}
int nothing(sqlite3_file*) {
  return SQLITE_OK;
}
int nothingWith(sqlite3_file*, int) {
  return SQLITE_OK;
}
int notReserved(sqlite3_file*, int* reserved) {
  *reserved = 0;
  return SQLITE_OK;
}
int noControl(sqlite3_file*, int, void*) {
  return SQLITE_NOTFOUND;
}
int sectorSize(sqlite3_file*) {
  return 4096;
}
int characteristics(sqlite3_file*) {
  return SQLITE_IOCAP_IMMUTABLE;
}

const sqlite3_io_methods kMethods = {1,           nothing,    readFile,        refuseWrite, refuseTruncate,
                                     nothingWith, fileSize,   nothingWith,     nothingWith, notReserved,
                                     noControl,   sectorSize, characteristics, nullptr,     nullptr,
                                     nullptr,     nullptr,    nullptr,         nullptr};

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags) {
  file->pMethods = nullptr;
  int descriptor = -1;
  long long size = 0;
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || name == nullptr || std::sscanf(name, "%d:%lld", &descriptor, &size) != 2) {
    return SQLITE_CANTOPEN;
  }
  self(file).descriptor = descriptor;
  self(file).size = size;
  file->pMethods = &kMethods;
  if (outFlags != nullptr) *outFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  return SQLITE_OK;
}

int refuseDelete(sqlite3_vfs*, const char*, int) {
  return SQLITE_READONLY;
}

int nothingElseExists(sqlite3_vfs*, const char*, int, int* result) {
  *result = 0;
  return SQLITE_OK;
}

int fullName(sqlite3_vfs*, const char* name, int size, char* out) {
  return std::snprintf(out, static_cast<std::size_t>(size), "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

}  // namespace

const char* descriptorVfs() {
  static const char* const name = "threewalls-descriptor";
  static const bool registered = [] {
    if (sqlite3_initialize() != SQLITE_OK) return false;
    const sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    if (system == nullptr) return false;
    static sqlite3_vfs own = *system;  // randomness, sleep and clock stay the system's
    own.pNext = nullptr;
    own.szOsFile = sizeof(DescriptorFile);
    own.zName = name;
    own.xOpen = openFile;
    own.xDelete = refuseDelete;
    own.xAccess = nothingElseExists;
    own.xFullPathname = fullName;
    return sqlite3_vfs_register(&own, 0) == SQLITE_OK;
  }();
  return registered ? name : nullptr;
}

std::string descriptorPath(int descriptor, std::uint64_t size) {
  return std::to_string(descriptor) + ":" + std::to_string(size);
}

}  // namespace threewalls::trace::nsys
