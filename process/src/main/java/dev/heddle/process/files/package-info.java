/**
 * Files that exist only as long as someone needs them. Start with {@link dev.heddle.process.files.ScratchDirectory}: it
 * is deleted when it is closed, or by the next process if its owner was killed, which
 * {@link dev.heddle.process.files.LivenessLock} shows.
 */
@NullMarked
package dev.heddle.process.files;

import org.jspecify.annotations.NullMarked;
