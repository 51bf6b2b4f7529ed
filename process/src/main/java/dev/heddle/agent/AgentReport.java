package dev.heddle.agent;

import java.time.Instant;

import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run: the result of its job, and in the files of its attempt also where it failed.
 *
 * @param text the answer, or why there is none
 * @param reason why there is no answer; null where there is one
 * @param attempt the one that started the run; a later one may have taken it over
 * @param session what to resume it by
 * @param ofSession what the session had used by then, where the agent counts so
 * @param cost null where nobody knows
 * @param exitCode of the command
 */
public record AgentReport(String text, Ending.@Nullable Reason reason, int attempt, @Nullable String session,
        Tokens tokens,
        @Nullable Tokens ofSession, @Nullable Cost cost, int exitCode, Instant startedAt, Instant endedAt) {}
