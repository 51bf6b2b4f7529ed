/**
 * How a command gets at the jobs: {@link dev.heddle.cli.access.Place} says which home and configuration it works
 * with, {@link dev.heddle.cli.access.Access} finds the running node there or opens the store itself.
 */
@NullMarked
package dev.heddle.cli.access;

import org.jspecify.annotations.NullMarked;
