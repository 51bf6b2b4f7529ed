@NullMarked
package dev.heddle.worktree;

import org.jspecify.annotations.NullMarked;
