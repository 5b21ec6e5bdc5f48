import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { IconButton } from "@/components/IconButton";
import { Menu, MenuItem } from "@/components/Menu";

type Props = {
  label: string;
  /** Whether renaming has begun: then the focus goes there and not back to the button. */
  renaming: boolean;
  align?: "start" | "end";
  size?: "small" | "normal";
  /** Shows the keys that do the same in the list. */
  withKeys?: boolean;
  onRename: () => void;
  onDelete: () => void;
};

/** What can be done with a chat. */
export function SessionMenu({
  label,
  renaming,
  align = "end",
  size = "small",
  withKeys = false,
  onRename,
  onDelete,
}: Props) {
  return (
    <Menu
      align={align}
      trigger={
        <IconButton size={size} label={label} icon={<Ellipsis aria-hidden="true" className="size-4" />} />
      }
      onCloseAutoFocus={(event) => {
        if (renaming) event.preventDefault();
      }}
    >
      <MenuItem
        {...(withKeys ? { keys: "F2" } : {})}
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onSelect={onRename}
      >
        Rename
      </MenuItem>
      <MenuItem
        danger
        {...(withKeys ? { keys: "Del" } : {})}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onSelect={onDelete}
      >
        Delete
      </MenuItem>
    </Menu>
  );
}
