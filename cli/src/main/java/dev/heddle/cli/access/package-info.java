/**
 * How a command reaches the jobs. {@link dev.heddle.cli.access.GlobalOptions} finds the home and the configuration;
 * start at {@link dev.heddle.cli.access.Connector}, which connects to the running node or opens the store.
 */
@NullMarked
package dev.heddle.cli.access;

import org.jspecify.annotations.NullMarked;
