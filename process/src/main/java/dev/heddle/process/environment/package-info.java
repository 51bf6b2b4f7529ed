/**
 * Decides which environment variables a process gets. Start with
 * {@link dev.heddle.process.environment.EnvironmentRules}: a process inherits what the rules let through, and secrets
 * are held back. {@link dev.heddle.process.environment.EnvironmentVariable} lists the variables by which Heddle informs
 * a process.
 */
@NullMarked
package dev.heddle.process.environment;

import org.jspecify.annotations.NullMarked;
