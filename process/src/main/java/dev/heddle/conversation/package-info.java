/**
 * Conversations with agents, in a vocabulary that all vendors share. Nothing here knows a vendor, a process or a file.
 *
 * <p>Start at {@link dev.heddle.conversation.Event}: a run is a stream of events. Three classes consume the stream:
 *
 * <ul>
 * <li>{@link dev.heddle.conversation.RunningTotals} sums it up while the run is going, into
 * {@link dev.heddle.conversation.Totals}: tokens, cost, result.
 * <li>{@link dev.heddle.conversation.ConversationBuilder} assembles the whole {@link
 * dev.heddle.conversation.Conversation}, which {@link dev.heddle.conversation.HtmlView} renders. Its records are also
 * the JSON of the API, so renaming one of their components changes that JSON.
 * <li>{@link dev.heddle.conversation.TextView} prints it event by event, for people who follow a run.
 * </ul>
 *
 * <p>Costs that an agent does not report are estimated with {@link dev.heddle.conversation.Prices}.
 */
@NullMarked
package dev.heddle.conversation;

import org.jspecify.annotations.NullMarked;
