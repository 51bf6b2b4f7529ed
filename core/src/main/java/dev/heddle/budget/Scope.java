package dev.heddle.budget;

/** Whose spending counts. */
public sealed interface Scope {

    /** Everybody's. */
    record Pool() implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return true;
        }

        @Override
        public String toString() {
            return "pool";
        }
    }

    /** That of one job type. */
    record Type(String name) implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return spend.type().equals(name);
        }

        @Override
        public String toString() {
            return "type:" + name;
        }
    }

    /** That of all jobs with a tag. */
    record Tag(String name) implements Scope {
        @Override
        public boolean covers(Spend spend) {
            return spend.tags().contains(name);
        }

        @Override
        public String toString() {
            return "tag:" + name;
        }
    }

    boolean covers(Spend spend);

    /**
     * Reads what {@link Object#toString} wrote.
     *
     * @throws IllegalArgumentException for anything else, with what there is
     */
    static Scope of(String text) {
        int colon = text.indexOf(':');
        String name = text.substring(colon + 1);
        if (text.equals("pool")) {
            return new Pool();
        }
        if (colon > 0 && !name.isBlank()) {
            switch (text.substring(0, colon)) {
                case "type" -> {
                    return new Type(name);
                }
                case "tag" -> {
                    return new Tag(name);
                }
                default -> {
                    // Refused below.
                }
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' has no budget; there are pool, type:NAME and tag:NAME");
    }
}
