/**
 * The job types that every node runs, to try Heddle and to test integrations. Start at
 * {@link dev.heddle.cli.types.BuiltInTypes}.
 */
@NullMarked
package dev.heddle.cli.types;

import org.jspecify.annotations.NullMarked;
