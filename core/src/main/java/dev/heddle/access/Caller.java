package dev.heddle.access;

/**
 * Who asks, and what they may do.
 *
 * @param actor who
 * @param role what they may do
 */
public record Caller(Actor actor, Role role) {

    /** Returns Java code that uses Heddle as a library under this name, and may do everything. */
    public static Caller library(String name) {
        return new Caller(Actor.library(name), Role.ADMIN);
    }

    /** Returns a user of the operating system on the machine of the node, who may do everything. */
    public static Caller cli(String user) {
        return new Caller(Actor.cli(user), Role.ADMIN);
    }
}
