package dev.heddle.budget;

import dev.heddle.job.Limits;

/** Whose spending counts against a budget. */
public sealed interface Scope {

    /** The spending of all jobs. */
    record Pool() implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return true;
        }

        /** Returns {@code pool}. */
        @Override
        public String toString() {
            return "pool";
        }
    }

    /**
     * The spending of the jobs of one type.
     *
     * @param name the name of the type
     */
    record Type(String name) implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return spend.type().equals(name);
        }

        /** Returns {@code type:NAME}. */
        @Override
        public String toString() {
            return "type:" + name;
        }
    }

    /**
     * The spending of all jobs with a tag.
     *
     * @param name the tag
     */
    record Tag(String name) implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return spend.tags().contains(name);
        }

        /** Returns {@code tag:NAME}. */
        @Override
        public String toString() {
            return "tag:" + name;
        }
    }

    /** Returns whether a spend counts. */
    boolean covers(Spend spend);

    /**
     * Parses the text that {@link Object#toString} returns.
     *
     * @throws IllegalArgumentException if there is no such scope
     */
    static Scope of(String text) {
        int colon = text.indexOf(':');
        String name = text.substring(colon + 1);
        if (text.equals("pool")) {
            return new Pool();
        }
        if (text.startsWith("type:") && !name.isBlank()) {
            return new Type(Limits.name("the type of a budget", name));
        }
        if (text.startsWith("tag:") && !name.isBlank()) {
            return new Tag(Limits.name("the tag of a budget", name));
        }
        throw new IllegalArgumentException(
                "'" + Limits.quoted(text) + "' has no budget; there are pool, type:NAME and tag:NAME");
    }
}
