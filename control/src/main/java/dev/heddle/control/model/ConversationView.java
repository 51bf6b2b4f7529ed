package dev.heddle.control.model;

import tools.jackson.databind.JsonNode;

/**
 * The conversation of an agent run.
 *
 * @param id the id of the job
 * @param attempt the attempt that started the run
 * @param prompt the prompt as the agent received it
 * @param conversation {@code totals} (session, model, tokens, cost, result) and {@code turns} with their parts
 */
public record ConversationView(String id, int attempt, String prompt, JsonNode conversation) {}
