#include "graph_buffer.hpp"

#include <algorithm>

#include "frontend.hpp"

namespace comparator {

GraphBuffer::GraphBuffer(const GraphConfig& config)
    : config_(config), chunk_nodes_(config.chunk_bytes / 8), chunk_edges_(config.chunk_bytes / 2), window_(config.lna), edges_(config.lea) {
    updates_.reserve(config.pub);
}

void GraphBuffer::launch(uint32_t kdei, uint32_t nodes, uint32_t edges, uint64_t node_base, uint64_t edge_base) {
    if (running_ && tail_ < n_) throw Refused("Busy");
    if (nodes == 0) throw Refused("EmptyGraph");
    if (nodes > 65535) throw Refused("TooManyNodes");
    running_ = true;
    deadlock_ = false;
    kdei_ = kdei;
    n_ = nodes;
    e_ = edges;
    node_base_ = node_base;
    edge_base_ = edge_base;
    tail_ = head_ = fetched_ = tail_edge_ = edge_head_ = max_level_range_ = 0;
    nodes_asked_.reset();
    edges_asked_.reset();
    updates_.clear();
    landed_.clear();
    ready_ = {};
    executing_.clear();
    pending_.clear();
}

uint32_t GraphBuffer::abort() {
    uint32_t executing = running_ ? uint32_t(executing_.size()) : 0;
    running_ = false;
    nodes_asked_.reset();
    edges_asked_.reset();
    return executing;
}

// dats-D2: where a node's edges begin and end, if the entries that tell it have come.
std::optional<uint32_t> GraphBuffer::start_of(uint32_t node) {
    if (node == n_) return e_;
    if (node < head_) return local(node).start;
    if (node < fetched_) return landed_[node - head_].start;
    return std::nullopt;
}

std::optional<uint32_t> GraphBuffer::end_of(uint32_t node) {
    if (local(node).childless) return local(node).start;
    return start_of(node + 1);
}

// dats-D7.
bool GraphBuffer::wants_nodes() const {
    return fetched_ < n_ && landed_.empty() && !nodes_asked_ &&
           (config_.eager != 0 || config_.lna - (head_ - tail_) >= std::min(chunk_nodes_, n_ - fetched_));
}

// M.
std::optional<Request> GraphBuffer::poll() {
    if (!running_) return std::nullopt;
    if (!edges_asked_) {
        uint32_t need = tail_edge_;
        if (std::optional<uint32_t> start = start_of(head_)) {
            need = *start;
        } else if (head_ > tail_) {
            need = local(head_ - 1).start;
        }
        uint32_t room = tail_edge_ + config_.lea;
        if (edge_head_ < std::min(need, room)) {
            uint32_t chunk_end = (edge_head_ / chunk_edges_ + 1) * chunk_edges_;
            uint32_t count = std::min({chunk_end, e_, room}) - edge_head_;
            edges_asked_ = Flight{next_tag_++, edge_head_, count};
            return Request{false, edges_asked_->tag, edge_head_, count, edge_base_ + 2 * uint64_t(edge_head_)};
        }
    }
    if (wants_nodes()) {
        uint32_t count = std::min(chunk_nodes_, n_ - fetched_);
        nodes_asked_ = Flight{next_tag_++, fetched_, count};
        return Request{true, nodes_asked_->tag, fetched_, count, node_base_ + 8 * uint64_t(fetched_)};
    }
    return std::nullopt;
}

Report GraphBuffer::nodes(uint32_t tag, const Node* entries, uint32_t count) {
    if (!nodes_asked_ || nodes_asked_->tag != tag) throw Refused("StaleTag");
    if (nodes_asked_->count != count) throw Refused("BadLength");
    landed_.insert(landed_.end(), entries, entries + count);
    fetched_ += count;
    nodes_asked_.reset();
    Report report;
    settle(report);
    return report;
}

Report GraphBuffer::edges(uint32_t tag, const uint16_t* targets, uint32_t count) {
    if (!edges_asked_ || edges_asked_->tag != tag) throw Refused("StaleTag");
    if (edges_asked_->count != count) throw Refused("BadLength");
    for (uint32_t i = 0; i < count; i++) edges_[(edge_head_ + i) % config_.lea] = targets[i];
    edge_head_ += count;
    edges_asked_.reset();
    Report report;
    settle(report);
    return report;
}

// C.
Report GraphBuffer::complete(uint32_t node) {
    if (!running_ || tail_ == n_) throw Refused("NotLaunched");
    if (executing_.erase(node) == 0) throw Refused("NotRunning");
    local(node).state = State::Pending;
    pending_.insert(std::lower_bound(pending_.begin(), pending_.end(), node), node);
    Report report;
    settle(report);
    if (local(node).state == State::Pending) report.pending = edges_here(node) ? Report::Pending::Pub : Report::Pending::Edges;
    return report;
}

// T, under LRR.
Selection GraphBuffer::select(const std::vector<bool>& has_room) {
    using Word = Selection::Word;
    if (!running_) throw Refused("NotLaunched");
    if (tail_ == n_) return {Word::Finished};
    // Only the end of the window's last node can be unknown, and no other ready one is behind it.
    bool none = ready_.empty() || !end_of(ready_.top());
    if (none) return {deadlock_ ? Word::Deadlock : ready_.empty() ? Word::NoReady : Word::Head};
    uint32_t smx = next_smx_;
    for (uint32_t tried = 0; !has_room[smx];) {
        if (++tried == config_.smxs) return {Word::NoSmx};
        if (++smx == config_.smxs) smx = 0;
    }
    next_smx_ = smx + 1 < config_.smxs ? smx + 1 : 0;
    uint32_t node = ready_.top();
    ready_.pop();
    local(node).state = State::Running;
    executing_.insert(node);
    // Levels do not fall with the numbers of nodes.
    uint32_t range = uint32_t(local(*executing_.rbegin()).level - local(*executing_.begin()).level);
    max_level_range_ = std::max(max_level_range_, range);
    return {Word::Dispatch, node, smx, kdei_};
}

// dats-D4.
bool GraphBuffer::edges_here(uint32_t node) {
    std::optional<uint32_t> end = end_of(node);
    return local(node).childless || (end && edge_head_ >= *end);
}

uint32_t GraphBuffer::outside(uint32_t node) {
    uint32_t count = 0;
    for (uint32_t edge = local(node).start, end = *end_of(node); edge < end; edge++) count += edges_[edge % config_.lea] >= head_;
    return count;
}

// dats-S2, dats-I1 to I3.
bool GraphBuffer::can_insert() {
    if (landed_.empty() || head_ - tail_ >= config_.lna) return false;
    const Node& node = landed_.front();
    if (node.start - tail_edge_ > config_.lea) return false;
    if (node.childless) return true;
    std::optional<uint32_t> end = start_of(head_ + 1);
    return !end || *end - tail_edge_ <= config_.lea;
}

void GraphBuffer::insert(Report& report) {
    Node node = landed_.front();
    landed_.pop_front();
    auto kept = std::remove(updates_.begin(), updates_.end(), head_);
    uint32_t removed = uint32_t(updates_.end() - kept);
    updates_.erase(kept, updates_.end());
    report.pub_out += removed;
    node.parents = uint16_t(node.parents - removed);
    State state = State::Waiting;
    if (node.parents == 0) {
        state = State::Ready;
        ready_.push(head_);
        report.readied++;
    }
    local(head_) = Local{state, node.childless, node.parents, node.level, node.start};
    head_++;
    report.inserted++;
}

// dats-S4: the first node that has ended and whose updates all have a place.
bool GraphBuffer::finalise_one(Report& report) {
    for (auto pending = pending_.begin(); pending != pending_.end(); ++pending) {
        uint32_t node = *pending;
        if (!edges_here(node) || outside(node) > config_.pub - updates_.size()) continue;
        for (uint32_t edge = local(node).start, end = *end_of(node); edge < end; edge++) {
            uint16_t child = edges_[edge % config_.lea];
            report.updates++;
            if (child >= head_) {
                updates_.push_back(child);
                report.pub_in++;
            } else if (--local(child).parents == 0) {
                local(child).state = State::Ready;
                ready_.push(child);
                report.readied++;
            }
        }
        local(node).state = State::Done;
        pending_.erase(pending);
        report.finalised++;
        return true;
    }
    return false;
}

// S.
void GraphBuffer::settle(Report& report) {
    bool changed = true;
    while (changed) {
        changed = false;
        while (tail_ < head_ && local(tail_).state == State::Done) {
            tail_edge_ = *end_of(tail_);
            tail_++;
            changed = true;
        }
        while (can_insert()) {
            insert(report);
            changed = true;
        }
        if (finalise_one(report)) changed = true;
    }
    if (tail_ < head_ && local(tail_).state == State::Pending && end_of(tail_) && edges_here(tail_) &&
        outside(tail_) > config_.pub - updates_.size() && !nodes_asked_ && !wants_nodes())
        deadlock_ = true;
    report.finished = tail_ == n_;
}

}  // namespace comparator
