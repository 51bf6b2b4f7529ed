@NullMarked
package dev.heddle.conversation;

import org.jspecify.annotations.NullMarked;
