@NullMarked
package dev.heddle.control;

import org.jspecify.annotations.NullMarked;
