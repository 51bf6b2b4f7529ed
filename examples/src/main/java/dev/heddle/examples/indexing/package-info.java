/**
 * Keeps a search index up to date: many changes of one document make one job, which runs with the last of them. Start
 * at {@link dev.heddle.examples.indexing.Indexing}.
 */
@NullMarked
package dev.heddle.examples.indexing;

import org.jspecify.annotations.NullMarked;
