package dev.heddle.store;

/** The reasons that every store writes into the history of parents and children. */
public final class FamilyReasons {

    /** Why a child is cancelled if its parent ended, with or without success. */
    public static final String PARENT_ENDED = "parent job completed";

    /** Why a child is cancelled if its parent was deleted. */
    public static final String PARENT_DELETED = "parent job deleted";

    /** Why a waiting parent continues. */
    public static final String CHILDREN_ENDED = "All children have ended";

    private FamilyReasons() {}
}
