/**
 * Text with fields in double braces: {@link dev.heddle.template.Template}. Prompts, arguments and git refs use it.
 */
@NullMarked
package dev.heddle.template;

import org.jspecify.annotations.NullMarked;
