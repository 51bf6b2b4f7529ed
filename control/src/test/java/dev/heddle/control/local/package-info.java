@NullMarked
package dev.heddle.control.local;

import org.jspecify.annotations.NullMarked;
