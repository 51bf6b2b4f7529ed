package dev.heddle.conversation;

/** Who says something. */
public enum Speaker {
    USER, AGENT,
    /** The program around the agent, or Heddle. */
    SYSTEM
}
