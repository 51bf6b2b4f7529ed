/**
 * Two kinds of work on documents, each a few lines on the public API. {@link
 * dev.heddle.examples.documents.DocumentTask} refers to its document by id; {@link
 * dev.heddle.examples.documents.CommandTask} carries the document along with a user's command. Both show how a dedupe
 * key keeps the same work from being queued twice.
 */
@NullMarked
package dev.heddle.examples.documents;

import org.jspecify.annotations.NullMarked;
