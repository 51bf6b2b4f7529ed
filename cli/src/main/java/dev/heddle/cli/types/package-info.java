/**
 * The job types that every node serves, for trying Heddle out and for testing what is around it:
 * {@link dev.heddle.cli.types.BuiltInTypes} adds them to a pool.
 */
@NullMarked
package dev.heddle.cli.types;

import org.jspecify.annotations.NullMarked;
