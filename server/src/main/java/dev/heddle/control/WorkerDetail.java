package dev.heddle.control;

import java.util.List;

import dev.heddle.worker.StateChange;

/**
 * A worker with what it went through.
 *
 * @param history newest first, the last 20; empty for a worker of another node
 */
public record WorkerDetail(WorkerView worker, List<StateChange> history) {}
