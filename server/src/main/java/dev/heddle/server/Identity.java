package dev.heddle.server;

import dev.heddle.access.Actor;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.JobCaller;

/** Who has sent a request. */
sealed interface Identity {

    /** Returns who it is. */
    Actor actor();

    /** A person or a program with a role. */
    record Known(Caller caller) implements Identity {
        @Override
        public Actor actor() {
            return caller.actor();
        }
    }

    /** The process of a job. */
    record OfJob(JobCaller job, Actor actor) implements Identity {}

    /** Refuses what the caller may not do. */
    static void requireRole(Caller caller, Role least) {
        if (!caller.role().includes(least)) {
            throw new ControlException(Kind.DENIED, "%s %s; this needs %s"
                    .formatted(subject(caller.actor()), "is " + withArticle(caller.role()), least.text()));
        }
    }

    private static String subject(Actor actor) {
        return switch (actor.kind()) {
            case TOKEN -> "your token '" + actor.name() + "'";
            case USER -> "user '" + actor.name() + "'";
            default -> "'" + actor + "'";
        };
    }

    private static String withArticle(Role role) {
        return (role == Role.VIEWER ? "a " : "an ") + role.text();
    }
}
