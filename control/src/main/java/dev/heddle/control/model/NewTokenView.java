package dev.heddle.control.model;

/**
 * A token that was just created.
 *
 * @param token the token
 * @param secret what its holder sends; it is shown only now
 */
public record NewTokenView(TokenView token, String secret) {}
