package dev.heddle.access;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An optional capability of a store: keeps the tokens of people and programs. Safe for use by many threads. */
public interface AccessStore {

    /** Adds a token. Returns false, and changes nothing, if there is one with its name. */
    boolean addToken(AccessToken token);

    /** Removes a token; returns whether there was one with this name. */
    boolean removeToken(String name);

    /** Returns all tokens, by name. */
    List<AccessToken> tokens();

    /**
     * Records when tokens were last used, unless a later use is known. Unknown tokens are ignored.
     *
     * @param uses the times by the hashes of the tokens
     */
    void recordUses(Map<String, Instant> uses);
}
