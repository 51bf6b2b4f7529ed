package dev.heddle.control.model;

import java.math.BigDecimal;
import java.time.Instant;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A unit of a batch.
 *
 * @param id the id of its job
 * @param unit its payload
 * @param state the state of its job
 * @param attempt the number of the last attempt; 0 before the first
 * @param result the result of its job
 * @param error the failure of the last failed attempt, in one line
 * @param usd the cost of all its attempts in US dollars; null if it is unknown
 * @param tokens the tokens that all its attempts used
 * @param session the id to resume the conversation of the agent with
 * @param startedAt when the last attempt started
 * @param endedAt when it ended
 */
public record UnitView(String id, JsonNode unit, JobState state, int attempt, @Nullable JsonNode result,
        @Nullable String error, @Nullable BigDecimal usd, long tokens, @Nullable String session,
        @Nullable Instant startedAt, @Nullable Instant endedAt) {}
