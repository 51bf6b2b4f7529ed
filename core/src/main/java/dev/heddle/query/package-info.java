/**
 * The query language for jobs, without I/O. {@link dev.heddle.query.QueryParser} turns text such as
 * {@code state:failed type:mail created:<2h} into a {@link dev.heddle.query.Condition}. Stores evaluate conditions: a
 * store in memory with {@link dev.heddle.query.JobFacts}, the others by translating them to SQL.
 */
@NullMarked
package dev.heddle.query;

import org.jspecify.annotations.NullMarked;
