/**
 * A job type with workers in Python: {@link dev.heddle.examples.embedding.Embedding} starts
 * {@code sdk/python/embed.py} twice and submits jobs to one of the two workers in a session.
 */
@NullMarked
package dev.heddle.examples.embedding;

import org.jspecify.annotations.NullMarked;
