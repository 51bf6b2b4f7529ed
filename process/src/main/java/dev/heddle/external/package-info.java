/**
 * Runs jobs on long-lived worker processes in any language.
 *
 * <p>Start with {@link dev.heddle.external.External}. It binds a job type to a command. Heddle starts worker processes
 * from that command ahead of need, checks their health, replaces them if they fail, and gives each of them one job at a
 * time.
 *
 * <pre>
 * External ─► ExternalWorkforce ─► WorkerSlot ─► ExternalWorker ─► RpcConnection ─► a process (dev.heddle.process)
 *             (SupervisorThread)   │             (a Worker)        (JSON-RPC lines)
 *                                  ├ HealthChecks (pings)
 *                                  └ WorkerFault ─► FaultResponse, RestartPolicy, Recycling (all pure)
 * </pre>
 *
 * <ul>
 * <li>A {@code WorkerSlot} holds one worker at a time and starts the next one if that is lost. It counts the losses, so
 * a command that crashes at once is restarted more and more slowly while the other slots work on.
 * <li>A worker that is due for recycling <em>winds down</em>: it gets no new sessions, its successor works beside it,
 * and it ends once its last session has ended.
 * <li>All supervision runs on the {@code SupervisorThread} of the workforce, so it needs no locks. Only the state of a
 * worker changes on the thread that notices a fault, because the pool must see it at once.
 * <li>The job's own thread handles the worker's messages about the job ({@code JobCall}). Its {@code JobInbox} is
 * bounded, which slows down a worker that sends too much.
 * </ul>
 *
 * <p>{@code docs/reference/worker-protocol.md} specifies the protocol. {@link dev.heddle.external.ConformanceCheck}
 * tells the author of a worker where it violates the protocol.
 */
@NullMarked
package dev.heddle.external;

import org.jspecify.annotations.NullMarked;
