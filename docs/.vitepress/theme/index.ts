import theme from 'vitepress/theme';
// oxlint-disable-next-line import/no-unassigned-import -- styles have no name
import './look.css';

export default theme;
