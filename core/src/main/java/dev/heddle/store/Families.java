package dev.heddle.store;

/** What stores write into the history of jobs for the sake of their families: the same in every store. */
public final class Families {

    /** Why a child is cancelled whose parent ended, in whatever way. */
    public static final String PARENT_COMPLETED = "parent job completed";
    public static final String PARENT_DELETED = "parent job deleted";
    /** Why a parent goes on to aggregate. */
    public static final String ALL_ENDED = "All children have ended";

    private Families() {}
}
