package dev.heddle.control.local;

/**
 * The job types of notifications about ended jobs. Only nodes submit such jobs. If clients could, they could have any
 * text signed and sent in the name of the node.
 */
public final class CallbackTypes {

    /** The event of a job that completed. */
    public static final String COMPLETE = "onUnitComplete";
    /** The event of a job that became a dead letter. */
    public static final String FAILED = "onUnitFailed";

    private CallbackTypes() {}

    /** Returns the type of the notifications about an event of a job type. */
    public static String of(String type, String event) {
        return type + ":" + event;
    }

    static boolean isCallback(String type) {
        return type.endsWith(":" + COMPLETE) || type.endsWith(":" + FAILED);
    }
}
