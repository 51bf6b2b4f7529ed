package dev.heddle.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Who does something. As a text it is {@code token:ci}, {@code user:ann}, {@code cli:ann}, {@code library:app},
 * {@code job:ID} or {@code node:token}.
 *
 * @param kind what the name is the name of
 * @param name the name
 * @param address the network address that the request came from; null if it came from this process
 */
public record Actor(Kind kind, String name, @Nullable String address) {

    /** How an actor is known. */
    public enum Kind {
        /** The holder of a named token. */
        TOKEN,
        /** A user whom a proxy has authenticated. */
        USER,
        /** A user of the operating system, who runs commands on the machine of the node. */
        CLI,
        /** Java code that uses Heddle as a library. */
        LIBRARY,
        /** The process of a job. */
        JOB,
        /** The holder of the node's own token. */
        NODE,
        /** Nobody who is known, such as the sender of a wrong token. */
        UNKNOWN
    }

    /** The holder of the node's own token, at no particular address. */
    public static final Actor OF_NODE = new Actor(Kind.NODE, "token", null);

    /** Cuts names that are too long to keep. */
    public Actor {
        name = name.length() <= Limits.NAME ? name : name.substring(0, Limits.NAME);
    }

    /** Returns Java code under a name that it chooses. */
    public static Actor library(String name) {
        return new Actor(Kind.LIBRARY, Limits.name("the name of an actor", name), null);
    }

    /** Returns a user of the operating system of this machine. */
    public static Actor cli(String user) {
        return new Actor(Kind.CLI, user, null);
    }

    /** Returns the same actor with the address that a request came from. */
    public Actor from(@Nullable String networkAddress) {
        return new Actor(kind, name, networkAddress);
    }

    /** Returns the kind that a text such as {@code token:ci} starts with; empty if it starts with none. */
    static Optional<Kind> kindOf(String text) {
        return Arrays.stream(Kind.values()).filter(kind -> text.startsWith(prefix(kind))).findFirst();
    }

    static String prefix(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT) + ":";
    }

    @Override
    public String toString() {
        return prefix(kind) + name;
    }
}
