/**
 * Command lines of LLM agents, whose output is understood. An {@link dev.heddle.agent.Adapter} knows one of them: how it
 * is called, and what its lines mean. A {@link dev.heddle.agent.Transcript} has the lines as they came, and is the truth;
 * everything else is read from it, again when an adapter has learned more. {@link dev.heddle.agent.EndRules} decide when
 * a run is over, and how.
 */
@NullMarked
package dev.heddle.agent;

import org.jspecify.annotations.NullMarked;
