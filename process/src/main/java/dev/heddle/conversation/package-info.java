/**
 * What an agent and its user said to each other, whoever made the agent. A run is a stream of
 * {@link dev.heddle.conversation.Event}s, which {@link dev.heddle.conversation.Tally} sums up while it runs, in little
 * memory, and {@link dev.heddle.conversation.Conversation} makes whole for who wants to read it.
 */
@NullMarked
package dev.heddle.conversation;

import org.jspecify.annotations.NullMarked;
