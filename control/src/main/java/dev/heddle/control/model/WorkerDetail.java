package dev.heddle.control.model;

import java.util.List;

import dev.heddle.worker.StateChange;

/**
 * A worker with its history.
 *
 * @param worker the worker
 * @param history the last 20 changes of its state, newest first; empty for a worker of another node
 */
public record WorkerDetail(WorkerView worker, List<StateChange> history) {}
