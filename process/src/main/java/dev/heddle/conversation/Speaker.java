package dev.heddle.conversation;

/** The origin of a turn. */
public enum Speaker {
    /** The user, usually through the prompt. */
    USER,
    /** The agent or one of its subagents. */
    AGENT,
    /** The program around the agent, or Heddle. */
    SYSTEM
}
