/**
 * Two shapes of work on documents, each a few lines on the public API: {@link dev.heddle.examples.documents.DocumentTask}
 * knows its document by the id, {@link dev.heddle.examples.documents.CommandTask} carries it along with a user's
 * command. Start at either; both show how a second submit of the same work finds the first.
 */
@NullMarked
package dev.heddle.examples.documents;

import org.jspecify.annotations.NullMarked;
