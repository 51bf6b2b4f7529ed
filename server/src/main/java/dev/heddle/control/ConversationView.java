package dev.heddle.control;

import tools.jackson.databind.JsonNode;

/**
 * What was said in a run of an agent.
 *
 * @param attempt the one that started the run
 * @param prompt as the agent got it
 * @param conversation {@code totals} (session, model, tokens, cost, result) and {@code turns} with their parts
 */
public record ConversationView(String id, int attempt, String prompt, JsonNode conversation) {}
