/** Tells commands and webhooks of jobs that have ended. */
@NullMarked
package dev.heddle.cli.callback;

import org.jspecify.annotations.NullMarked;
