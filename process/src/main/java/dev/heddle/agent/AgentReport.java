package dev.heddle.agent;

import java.time.Instant;

import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * The result of an agent's job. The files of an attempt also contain one if the run failed.
 *
 * @param text the answer, or an explanation if the run failed
 * @param reason why the run failed; null if it succeeded
 * @param attempt the attempt that started the run; a later attempt may have taken it over
 * @param session the session to resume; null if the agent did not report one
 * @param tokens the tokens that this run used
 * @param ofSession the tokens that the whole session used so far; null if the agent does not count by session
 * @param cost the cost of this run; null if neither the agent nor the price table knows it
 * @param exitCode the exit code of the agent's process
 * @param startedAt when the run started
 * @param endedAt when the run ended
 */
public record AgentReport(String text, AgentOutcome.@Nullable Reason reason, int attempt, @Nullable String session,
        Tokens tokens, @Nullable Tokens ofSession, @Nullable Cost cost, int exitCode, Instant startedAt,
        Instant endedAt) {}
