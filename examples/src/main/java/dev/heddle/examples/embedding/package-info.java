/**
 * A job type that Python does: {@link dev.heddle.examples.embedding.Embedding} starts the workers of
 * {@code workers/python/embed.py} and speaks to one of them in a session.
 */
@NullMarked
package dev.heddle.examples.embedding;

import org.jspecify.annotations.NullMarked;
