/**
 * Asks a node over HTTP. Start with {@link dev.heddle.control.remote.RemoteControl}, which is for people and scripts;
 * {@link dev.heddle.control.remote.RemoteJobControl} is for the processes of jobs.
 */
@NullMarked
package dev.heddle.control.remote;

import org.jspecify.annotations.NullMarked;
