/**
 * Jobs that are done by LLM agents.
 *
 * <p>Start at {@link dev.heddle.agent.Agent}, which describes a job type, and {@link dev.heddle.agent.AgentRuntime},
 * which registers it with a pool. A run then goes through these classes:
 *
 * <pre>
 * AgentAttempt ─► AgentProcess ─► events.jsonl ─► TranscriptTail ─► EventParser ─► RunningTotals ─► AgentReport
 *   starts, resumes   outlives      Transcript      AgentMonitor      Adapter
 *   or takes over     the node                                       (vendor)
 * </pre>
 *
 * <ul>
 * <li>An {@link dev.heddle.agent.Adapter} knows one vendor: how to call the agent and how to parse its lines. Add your
 * own with a {@link java.util.ServiceLoader} entry.
 * <li>The agent itself writes the {@code Transcript}, so nothing is lost if the node dies. The transcript is
 * the source of truth; conversations, costs and reports are derived from it.
 * <li>By default a run outlives its node. The next node on the machine takes it over instead of paying for it again.
 * <li>{@link dev.heddle.agent.EndRules} decides when a run is over and how it ended. It is pure.
 * <li>{@link dev.heddle.agent.BudgetGate} holds jobs back while their budget is used up.
 * </ul>
 */
@NullMarked
package dev.heddle.agent;

import org.jspecify.annotations.NullMarked;
