#include "parallel/mesh.h"

#include "parallel/rank_grid.h"

#include <algorithm>
#include <numeric>

namespace threewalls::parallel {
namespace {

constexpr std::int64_t kLargestWorld = 131'072;
const std::vector<std::string> kAxes = {"tp", "cp", "ep", "dp", "pp"};

std::string text(std::int64_t value) {
  return std::to_string(value);
}

std::vector<std::string> split(const std::string& order) {
  std::vector<std::string> axes = {""};
  for (const char c : order) {
    if (c == '-') {
      axes.emplace_back();
    } else {
      axes.back().push_back(c);
    }
  }
  return axes;
}

struct Sizes {
  std::int64_t dp = 1;
  std::int64_t expertDp = 1;
};

std::int64_t attentionSize(const MeshSpec& spec, const Sizes& sizes, const std::string& axis) {
  if (axis == "tp") return spec.tp;
  if (axis == "cp") return spec.cp;
  if (axis == "dp") return sizes.dp;
  return axis == "pp" ? spec.pp : 1;
}

std::int64_t expertSize(const MeshSpec& spec, const Sizes& sizes, const std::string& axis) {
  if (axis == "tp") return spec.expertTp();
  if (axis == "ep") return spec.ep;
  if (axis == "dp") return sizes.expertDp;
  return axis == "pp" ? spec.pp : 1;
}

/// What is wrong with `order` itself; sizes are legal here.
void checkOrder(const MeshSpec& spec, const Sizes& sizes, std::vector<Violation>& out) {
  const std::vector<std::string> order = split(spec.order);
  for (const std::string& axis : order) {
    if (std::find(kAxes.begin(), kAxes.end(), axis) == kAxes.end() || std::count(order.begin(), order.end(), axis) > 1) {
      out.push_back({"mesh.order", "order \"" + spec.order + "\" has an axis that is unknown or there twice.",
                     "Use each of tp, cp, ep, dp, pp once."});
      return;
    }
  }
  for (const std::string& axis : kAxes) {
    const bool there = std::find(order.begin(), order.end(), axis) != order.end();
    if (!there && std::max(attentionSize(spec, sizes, axis), expertSize(spec, sizes, axis)) > 1) {
      out.push_back({"mesh.order", "order \"" + spec.order + "\" leaves out " + axis + ", which is larger than 1.",
                     "Name " + axis + " in the order."});
    }
  }
  if (order.back() != "pp" && spec.pp > 1 && sizes.dp != sizes.expertDp) {
    out.push_back({"mesh.pp_last",
                   "With order \"" + spec.order + "\" the data parallel sizes of attention (" + text(sizes.dp) +
                       ") and experts (" + text(sizes.expertDp) + ") must be equal.",
                   "End the order with pp."});
  }
}

std::vector<RankGrid::Axis> axes(const MeshSpec& spec, const Sizes& sizes, bool expert) {
  std::vector<std::string> order = split(spec.order);
  for (const std::string axis : {"tp", "pp", "dp", "ep", "cp"}) {  // Megatron's order of appending what is not named
    if (std::find(order.begin(), order.end(), axis) == order.end()) order.push_back(axis);
  }
  std::vector<RankGrid::Axis> all;
  for (const std::string& axis : order) {
    all.emplace_back(axis, expert ? expertSize(spec, sizes, axis) : attentionSize(spec, sizes, axis));
  }
  return all;
}

}  // namespace

MeshSpec meshSpec(const training::Layout& layout) {
  MeshSpec spec;
  spec.worldSize = layout.worldSize;
  spec.tp = layout.tp;
  spec.cp = layout.cp;
  spec.pp = layout.pp;
  spec.ep = layout.ep;
  spec.etp = layout.etp;
  spec.vpp = layout.vpp;
  spec.order = layout.order;
  return spec;
}

const GroupKind* Mesh::find(const std::string& name) const {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const GroupKind& one) { return one.name == name; });
  return kind == kinds.end() ? nullptr : &*kind;
}

std::vector<Violation> meshViolations(const MeshSpec& spec) {
  std::vector<Violation> out;
  for (const std::int64_t size :
       {spec.tp, spec.cp, spec.pp, spec.ep, spec.expertTp(), spec.distributedOptimizerInstances, spec.worldSize}) {
    if (size < 1 || size > kLargestWorld) {
      out.push_back(
          {"mesh.size", "Sizes must be 1 to " + text(kLargestWorld) + ", but one is " + text(size) + ".", "Correct that size."});
      return out;
    }
  }
  // Each product stays below 2^51.
  const std::int64_t attention = spec.tp * spec.pp * spec.cp;
  const std::int64_t expert = spec.expertTp() * spec.ep * spec.pp;
  if (spec.worldSize % attention != 0) {
    out.push_back({"MESH-001", "World size " + text(spec.worldSize) + " is not a multiple of TP*PP*CP = " + text(attention) + ".",
                   "Change the world size or a degree so that DP is whole."});
  }
  if (spec.worldSize % expert != 0) {
    out.push_back(
        {"MESH-002", "World size " + text(spec.worldSize) + " is not a multiple of ETP*EP*PP = " + text(expert) + ".",
         spec.etp ? "Change EP or ETP so that EDP is whole." : "Change EP, or set ETP, which is TP when it is not given."});
  }
  if (spec.vpp && spec.pp < 2) {
    out.push_back({"PP-003", "Virtual pipeline stages (" + text(*spec.vpp) + ") need more than one pipeline stage.",
                   "Drop VPP or raise PP."});
  }
  if (!out.empty()) return out;

  const Sizes sizes{spec.worldSize / attention, spec.worldSize / expert};
  checkOrder(spec, sizes, out);
  const std::int64_t instances = spec.distributedOptimizerInstances;
  for (const auto& [what, size] : {std::pair<std::string, std::int64_t>{"DP*CP", sizes.dp * spec.cp}, {"EDP", sizes.expertDp}}) {
    if (size % instances != 0) {
      out.push_back({"mesh.optimizer_instances",
                     what + " = " + text(size) + " does not divide over " + text(instances) + " distributed optimizer instances.",
                     "Choose a count of instances that divides DP*CP and EDP."});
    }
  }
  if (!spec.hierarchicalCpSizes.empty()) {
    std::int64_t product = 1;
    for (const std::int64_t size : spec.hierarchicalCpSizes) {
      product = size < 1 || product > kLargestWorld || size > kLargestWorld ? -1 : product * size;
      if (product < 0) break;
    }
    if (product != spec.cp) {
      out.push_back({"mesh.hierarchical_cp", "Hierarchical context parallel sizes must multiply to CP = " + text(spec.cp) + ".",
                     "Correct the sizes or CP."});
    }
  }
  return out;
}

tl::expected<Mesh, std::vector<Violation>> buildMesh(const MeshSpec& spec) {
  if (auto violations = meshViolations(spec); !violations.empty()) return tl::unexpected(std::move(violations));
  Mesh mesh;
  const Sizes sizes{spec.worldSize / (spec.tp * spec.pp * spec.cp), spec.worldSize / (spec.expertTp() * spec.ep * spec.pp)};
  mesh.dp = sizes.dp;
  mesh.etp = spec.expertTp();
  mesh.expertDp = sizes.expertDp;
  const RankGrid attention(axes(spec, sizes, false));
  const RankGrid expert(axes(spec, sizes, true));
  const std::vector<RankGroup> pipelines = attention.groups({"pp"});
  if (pipelines != expert.groups({"pp"})) {
    return tl::unexpected(std::vector<Violation>{
        {"mesh.pp_groups", "Attention and expert grid give different pipeline groups.", "End the order with pp."}});
  }
  const auto add = [&](std::string name, std::vector<RankGroup> groups) {
    mesh.kinds.push_back({std::move(name), std::move(groups)});
  };
  const std::int64_t instances = spec.distributedOptimizerInstances;
  const std::vector<RankGroup> dataContext = attention.groups({"dp", "cp"});
  add("dp-cp", dataContext);
  if (instances > 1) add("intra-partial-dp-cp", slices(dataContext, sizes.dp * spec.cp / instances));
  for (std::int64_t n = 2; spec.hybridContextParallel && 2 * n <= sizes.dp * spec.cp; n *= 2) {
    add("hybrid-dp-cp-" + text(n), slices(dataContext, n));
  }
  add("dp", attention.groups({"dp"}));
  add("cp", attention.groups({"cp"}));
  for (std::size_t level = 0; level < spec.hierarchicalCpSizes.size(); ++level) {
    add("cp-hier-L" + std::to_string(level), hierarchyLevel(attention.groups({"cp"}), spec.hierarchicalCpSizes, level));
  }
  add("mp (tp-pp)", attention.groups({"tp", "pp"}));
  add("tp", attention.groups({"tp"}));
  add("pp", pipelines);
  std::vector<RankGroup> embedding;
  std::vector<RankGroup> position;
  for (const RankGroup& group : pipelines) {
    embedding.push_back(group.size() == 1 ? group : RankGroup{group.front(), group.back()});
    position.push_back({group.front()});
  }
  add("embedding", std::move(embedding));
  add("position-embedding", std::move(position));
  add("tp-dp-cp", attention.groups({"tp", "dp", "cp"}));
  add("tp-dp", attention.groups({"tp", "dp"}));
  add("tp-cp", attention.groups({"tp", "cp"}));
  add("ep", expert.groups({"ep"}));
  add("expert-tp", expert.groups({"tp"}));
  add("expert-tp-ep", expert.groups({"tp", "ep"}));
  const std::vector<RankGroup> models = expert.groups({"tp", "ep", "pp"});
  add("expert-tp-ep-pp", models);
  const std::vector<RankGroup> expertData = expert.groups({"dp"});
  add("expert-dp", expertData);
  for (std::size_t level = 0; instances > 1 && level < 2; ++level) {
    add("expert-dp-hier-L" + std::to_string(level), hierarchyLevel(expertData, {sizes.expertDp / instances, instances}, level));
  }
  std::vector<RankGroup> instance(static_cast<std::size_t>(instances));
  for (std::size_t i = 0; i < models.size(); ++i) {
    RankGroup& all = instance[i / (models.size() / instance.size())];
    all.insert(all.end(), models[i].begin(), models[i].end());
  }
  add("intra-dist-opt-instance", std::move(instance));
  return mesh;
}

Crossing crossing(const GroupKind& kind, std::int64_t gpusPerNode, std::int64_t nvlinkDomain) {
  Crossing out;
  out.groups = static_cast<std::int64_t>(kind.groups.size());
  for (const RankGroup& group : kind.groups) {
    const auto leaves = [&](std::int64_t size) {
      return std::any_of(group.begin(), group.end(), [&](std::int64_t rank) { return rank / size != group.front() / size; });
    };
    if (leaves(gpusPerNode)) ++out.crossingNode;
    if (leaves(nvlinkDomain)) ++out.crossingDomain;
  }
  return out;
}

}  // namespace threewalls::parallel
