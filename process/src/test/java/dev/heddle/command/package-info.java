@NullMarked
package dev.heddle.command;

import org.jspecify.annotations.NullMarked;
